/** What a command needs and leaves behind. Every definition states it, so no command can be without. Pure. */
import type { Right } from '../operators/rights.ts'

export interface Access {
  readonly right: Right
  /**
   * `read` changes nothing and shows no personal data. `look` changes nothing and may show personal data. `change` changes
   * something. The last two take --by and --reason.
   */
  readonly kind: 'read' | 'look' | 'change'
  /** Whether it needs the key of an operator where operators exist. */
  readonly signsIn: boolean
  /** Whether it needs no key with a database user that reads the audit log and cannot write it. */
  readonly forAuditors: boolean
  /** Whether --reason must be given. */
  readonly reason: 'required' | 'optional'
}

export function reads(right: Right = 'read'): Access {
  return { right, kind: 'read', reason: 'optional', signsIn: true, forAuditors: false }
}

export function changes(right: Right, reason: Access['reason'] = 'optional'): Access {
  return { right, kind: 'change', reason, signsIn: true, forAuditors: false }
}

/** For what must work before anybody can sign in; the rights of its database user limit it. */
export function withoutOperator(access: Access): Access {
  return { ...access, signsIn: false }
}
