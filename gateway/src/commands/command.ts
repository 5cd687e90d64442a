/** One subcommand of `postern`. */
export interface Command {
  readonly name: string
  readonly usage: string
  readonly summary: string
  run(args: string[]): Promise<void>
}

/** The operator's mistake: printed without a stack trace. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
