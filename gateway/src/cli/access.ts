/** Access requirements of a command. Every definition states them, so that no command lacks them. */
import type { Right } from '../identity/operators/rights.ts'

export interface Access {
  readonly right: Right
  /**
   * `read` changes nothing and shows no personal data. `look` changes nothing and may show personal data.
   * `change` changes something. The last two accept --by and --reason.
   */
  readonly kind: 'read' | 'look' | 'change'
  /** Whether the command requires an operator key once operators exist. */
  readonly signsIn: boolean
  /** Whether the command requires no key if its database user can read the audit log but not write it. */
  readonly forAuditors: boolean
  /** Whether --reason is required. */
  readonly reason: 'required' | 'optional'
}

export function readCommandAccess(right: Right = 'read'): Access {
  return { right, kind: 'read', reason: 'optional', signsIn: true, forAuditors: false }
}

export function writeCommandAccess(right: Right, reason: Access['reason'] = 'optional'): Access {
  return { right, kind: 'change', reason, signsIn: true, forAuditors: false }
}

/**
 * Removes the sign-in from the requirements, for commands that must work before any operator can sign in. Only the
 * rights of the database user limit them.
 */
export function allowAnonymous(access: Access): Access {
  return { ...access, signsIn: false }
}
