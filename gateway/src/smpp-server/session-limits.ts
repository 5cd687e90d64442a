/** What one connection of a client may take: time, room and memory. */
export interface SessionLimits {
  readonly bindTimeoutMs: number
  /** Submits of one bind that may be unanswered before it is not read any further. */
  readonly window: number
  /** The same for what is delivered to it. */
  readonly deliverWindow: number
  readonly responseTimeoutMs: number
  readonly enquireIntervalMs: number
  readonly enquireTimeoutMs: number
  readonly maxPduBytes: number
  readonly maxBacklogBytes: number
}
