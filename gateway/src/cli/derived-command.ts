/** A command that is derived from its operation. */
import type { OperationId } from '../operations/operation-index.ts'

/** An argument or option, which sets one field of the request. */
export interface CommandParameter {
  /** The path of the field, such as `body.limits.send`. */
  readonly field: string
  /** The option without its dashes, such as `limits-send`. */
  readonly name: string
  /** A `switch` also has a `--no-` form, because omitting it keeps the current value or means yes. */
  readonly type: 'text' | 'whole' | 'number' | 'numbers' | 'flag' | 'switch' | 'list' | 'json'
  readonly description: string
  readonly required?: true
  /** The word `none` stands for null. */
  readonly nullable?: true
  /** The word `none` stands for an empty list. */
  readonly canBeEmpty?: true
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
}

export interface DerivedCommand {
  readonly operation: OperationId
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly examples: readonly string[]
  /** The operation returns a page of a list. The command reads all pages. */
  readonly isPage: boolean
  readonly columns?: readonly string[]
  readonly limit?: number
  readonly note?: string
  /** An example of the document that `--json` prints. */
  readonly json: string
  readonly arguments: readonly CommandParameter[]
  readonly options: readonly CommandParameter[]
}
