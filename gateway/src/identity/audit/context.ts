/**
 * Actor, source and reason of an audited action. Recorded with every change and with every access to personal
 * data.
 */

/**
 * The roles of operators; `client` for those of a client; `shell` if no operator exists or a command needs
 * none; `process` for the API and workers.
 */
export type ActorRole = 'viewer' | 'support' | 'operator' | 'admin' | 'client' | 'shell' | 'process'

export interface AuditContext {
  /** The name of the operator; without operators the user of the system, such as `kim@gw-1`. */
  readonly by: string
  readonly role: ActorRole
  /** The reason in the words of the person, or the name of the action. */
  readonly reason: string
  /** The host on which a command runs, or the address of a request. */
  readonly source: string
  /** The key or the session of the operator. */
  readonly keyId: string | null
  /** Identifies all audit rows of one command or request. */
  readonly requestId: string
}
