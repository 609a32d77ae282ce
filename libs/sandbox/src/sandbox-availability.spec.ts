import { describe, expect, it } from 'vitest';
import { sandboxAdvice } from './sandbox-availability.js';

describe('sandboxAdvice', () => {
  // As bubblewrap 0.8 and util-linux 2.38 say it.
  it.each([
    ['choom: failed to execute bwrap: No such file or directory', 'apt-get install bubblewrap'],
    ['the sandbox could not be started: spawn choom ENOENT', 'util-linux'],
    ['bwrap: Unknown option --disable-userns', 'Install 0.8 or newer'],
    ['bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces.', 'sysctl'],
    ['bwrap: setting up uid map: Permission denied', 'apparmor_restrict_unprivileged_userns'],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", 'systempaths=unconfined'],
    ['spawn choom EPERM', 'EPERM'],
  ])('%s', (said, advice) => {
    expect(sandboxAdvice(said)).toContain(advice);
    expect(sandboxAdvice(said)).toContain('KILN_SANDBOX_MODE=process');
  });
});
