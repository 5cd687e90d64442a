/** What is known of a command that is derived from its operation. */
import type { OperationId } from '../admin/operation-index.ts'

/** An argument or an option, which is one field of the request. */
export interface Parameter {
  /** The path of the field, such as `body.limits.send`. */
  readonly field: string
  /** The option without its dashes, such as `limits-send`. */
  readonly name: string
  /** A `switch` has a form with `--no-`, because leaving it out keeps what is set or means yes. */
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
  /** The operation answers with a page of a list. The command reads all pages. */
  readonly isPage: boolean
  readonly columns?: readonly string[]
  readonly limit?: number
  readonly note?: string
  /** An example of the document that `--json` prints. */
  readonly json: string
  readonly arguments: readonly Parameter[]
  readonly options: readonly Parameter[]
}
