/** What a command needs and leaves behind. Every definition states it, so no command can be without. Pure. */
import type { Right } from '../operators/rights.ts'

export interface Access {
  readonly right: Right
  /**
   * `read` changes nothing and shows no personal data. `look` changes nothing and may show personal data. `change` changes
   * something. The last two take --by and --reason.
   */
  readonly kind: 'read' | 'look' | 'change'
  /** Whether --reason must be given. */
  readonly reason: 'required' | 'optional'
}

export function reads(right: Right = 'read'): Access {
  return { right, kind: 'read', reason: 'optional' }
}

export function looks(right: Right = 'read', reason: Access['reason'] = 'optional'): Access {
  return { right, kind: 'look', reason }
}

export function changes(right: Right, reason: Access['reason'] = 'optional'): Access {
  return { right, kind: 'change', reason }
}
