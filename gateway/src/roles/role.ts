/** A running role of this process. */
export interface Role {
  /** Names of what it needs, each true while it works. */
  readiness(): Record<string, boolean>
  /** It is about to drain, and works on until then: who keeps connections to it should let them go. */
  leave?(): void
  /** Finishes what it has in hand and takes nothing new. */
  drain(): Promise<void>
}
