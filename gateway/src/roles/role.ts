export type RoleName = 'api' | 'worker' | 'admin' | 'smpp-server' | 'all'

/** A running role of this process. */
export interface Role {
  /** Returns the dependencies of the role, each true while it works; /readyz shows them. */
  readiness(): Record<string, boolean>
  /**
   * Called before `drain` when SIGTERM stops a process that clients connect to: the role keeps working and requests
   * its clients to close their connections.
   */
  prepareStop?(): void
  /** Accepts no new work and resolves when the work in progress is finished. */
  drain(): Promise<void>
}
