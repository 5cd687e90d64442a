/** A running role of this process. */
export interface Role {
  /** Names of what it needs, each true while it works. */
  readiness(): Record<string, boolean>
  /** Finishes what it has in hand and takes nothing new. */
  drain(): Promise<void>
}
