export type SandboxAvailability =
  | {
      readonly ok: true;
      readonly confinement: 'bubblewrap' | 'process';
      /** What runs as `python3`; null when the machine has none that the sandbox can reach. */
      readonly python: string | null;
      /** What an operator should know; null when all is as it should be. */
      readonly warning: string | null;
    }
  | { readonly ok: false; readonly code: 'sandbox_unavailable'; readonly message: string };

const OR_WITHOUT = 'or allow code to run without a sandbox (KILN_SANDBOX_MODE=process), which gives it all that the worker may do';

/** What to do about a sandbox that did not come up, from what bubblewrap said. */
export function sandboxAdvice(said: string): string {
  if (/ENOENT.*choom|choom.*ENOENT/.test(said)) return `choom is missing. Install util-linux 2.33 or newer, ${OR_WITHOUT}.`;
  if (/failed to execute bwrap|bwrap.*(ENOENT|not found)/i.test(said))
    return `bubblewrap is not installed. Install it (Debian/Ubuntu: apt-get install bubblewrap), ${OR_WITHOUT}.`;
  if (/Unknown option/.test(said)) return `bubblewrap is too old (${said}). Install 0.8 or newer, ${OR_WITHOUT}.`;
  if (/namespace|uid map|Operation not permitted|Permission denied|mount proc/i.test(said)) {
    return (
      `user namespaces are forbidden here (${said}). On a host: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu 24.04) ` +
      `or kernel.unprivileged_userns_clone=1 (Debian). In Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined ` +
      `--security-opt systempaths=unconfined. In Kubernetes: seccompProfile Unconfined and procMount Unmasked. Do that, ${OR_WITHOUT}.`
    );
  }
  return `the sandbox did not come up (${said}). Repair bubblewrap, ${OR_WITHOUT}.`;
}
