/** Who does something, in which role, from where and why. Kept with every change and with every look at personal data. */

/**
 * The roles of operators, `client` for those of a client; `shell` where no operator exists or a command needs none; `process` for api
 * and worker.
 */
export type ActRole = 'viewer' | 'support' | 'operator' | 'admin' | 'client' | 'shell' | 'process'

export interface Act {
  /** The name of the operator; without operators the user of the system, such as `kim@gw-1`. */
  readonly by: string
  readonly role: ActRole
  /** Why, in the words of the person, or the name of the act. */
  readonly reason: string
  /** The host that a command runs on, or the address that a request comes from. */
  readonly source: string
  /** The key that an operator signed in with. */
  readonly keyId: string | null
  /** The same for everything that one command or one request does. */
  readonly requestId: string
}
