/** Who does something, and through what. */
export interface Actor {
  /** An API key's name, `operator`, or a process such as `scheduler`. */
  actor: string;
  /** Through what: rest, cli, mcp, scheduler. */
  source: string;
}
