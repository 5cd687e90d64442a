/**
 * What `postern account move` says before the switch: rules of trust that are on in one cell only, and API keys that name
 * the old cell. Both cells may be set up differently, and the account would notice it first.
 */
import { isActive } from '../../accounts/credential-actions.ts'
import { listCredentials } from '../../accounts/credential-queries.ts'
import { clock } from '../../platform/clock.ts'
import type { Queryable } from '../../platform/database.ts'
import type { RuleId } from '../../trust/rules.ts'
import { hasUnreadReplies } from '../../records/replies/queries.ts'
import { readSwitches } from '../../trust/switches.ts'
import { hasChoices } from '../../trust/suppression/queries.ts'
import { FailedError } from '../errors.ts'
import type { Move } from './move-context.ts'

export interface RuleDifference {
  /** On in the new cell and off in the old one: they may refuse what the account sends today. */
  readonly onlyThere: readonly RuleId[]
  readonly onlyHere: readonly RuleId[]
}

export async function compareRules({ source, target }: Move): Promise<RuleDifference> {
  const [here, there] = [await enabledRules(source), await enabledRules(target)]
  return {
    onlyThere: there.filter((rule) => !here.includes(rule)),
    onlyHere: here.filter((rule) => !there.includes(rule)),
  }
}

export function describeRules({ fromCell, toCell }: Move, { onlyThere, onlyHere }: RuleDifference): string[] {
  return [
    ...(onlyThere.length === 0
      ? []
      : [
          `rules that are off in cell ${fromCell} are on in cell ${toCell} and may refuse what the account sends: ${onlyThere.join(', ')}`,
        ]),
    ...(onlyHere.length === 0
      ? []
      : [`rules that are on in cell ${fromCell} are off in cell ${toCell}: ${onlyHere.join(', ')}`]),
  ]
}

/** Throws when the account might be unable to send after the move. */
export async function requireSameRules(move: Move): Promise<void> {
  const difference = await compareRules(move)
  if (difference.onlyThere.length === 0) return
  const [text] = describeRules(move, difference)
  throw new FailedError(
    `${text}. Register its senders in cell ${move.fromCell} and turn the rules on there first, so that a refusal shows before the move; or move it as it is with --force`,
  )
}

/** Throws when the account would lose the opt-outs of its recipients: the other cell has another key and cannot read them. */
export async function requireNoChoices({ source, account, clientId, toCell }: Move): Promise<void> {
  if (!(await hasChoices(source, account.id))) return
  throw new FailedError(
    `${clientId} has a list of recipients who opted out or agreed, which cell ${toCell} cannot read. Import the list there from its owner with \`postern suppression import\` after the move, before it sends advertisements; move it with --force`,
  )
}

/** Throws when the account would lose replies that nobody has read: they stay in the cell that received them. */
export async function requireNoReplies({ source, account, clientId, fromCell }: Move): Promise<void> {
  if (!(await hasUnreadReplies(source, account.id))) return
  throw new FailedError(
    `${clientId} has replies of recipients that it has not read, and they stay in cell ${fromCell}. Its owner reads and acknowledges them first with GET and DELETE /v1/replies; or move it without them with --force`,
  )
}

/** Keys that can be used. */
export async function countKeys({ source, account }: Move): Promise<number> {
  const credentials = await listCredentials(source, account.id)
  return credentials.filter((one) => one.kind === 'key' && isActive(one, clock.date())).length
}

export function describeKeys({ clientId, toCell }: Move, keys: number): string[] {
  return keys === 0
    ? []
    : [
        `${clientId} has ${keys} API keys. A key names the cell that it was created in, and proxies follow it: a key of another cell than ${toCell} is refused after the move when it is sent as it is. Its owner requests a token with it, which works, or you rotate it in cell ${toCell}`,
      ]
}

async function enabledRules(database: Queryable): Promise<RuleId[]> {
  return (await readSwitches(database)).filter(({ enabled }) => enabled).map(({ rule }) => rule)
}
