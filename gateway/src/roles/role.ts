export type RoleName = 'api' | 'worker' | 'admin' | 'smpp-server' | 'all'

/** A running role of this process. Started and stopped by `run.ts`. */
export interface Role {
  /** What the role needs, each true while it works; /readyz shows it. */
  readiness(): Record<string, boolean>
  /** Called before `drain`: the role keeps working, and asks its clients to close their connections. */
  prepareStop?(): void
  /** Takes no new work and resolves when the work in progress is finished. */
  drain(): Promise<void>
}
