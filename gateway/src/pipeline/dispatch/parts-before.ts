/**
 * How many parts of a lane are submitted before the next step of each account, when accounts take turns by their weights
 * (`account-turns.ts`): its own, and of each other account as many as that may send in these turns. An account with nothing
 * in the lane waits for none, however much others have there. Pure; called by the owner of a route.
 */

/** `parts`: in the lane, by account. Accounts with none are absent. */
export function partsBefore(
  parts: ReadonlyMap<number, number>,
  weightOf: (accountId: number) => number,
): Map<number, number> {
  const accounts = Array.from(parts, ([accountId, own]) => {
    const weight = weightOf(accountId)
    return { accountId, own, weight, turns: own / weight }
  }).sort((one, other) => one.turns - other.turns)
  let ended = 0
  let weights = accounts.reduce((sum, { weight }) => sum + weight, 0)
  const before = new Map<number, number>()
  for (const { accountId, own, weight, turns } of accounts) {
    // Those that have more turns than this one are still served when its last part is; itself is among them.
    before.set(accountId, ended + turns * weights)
    ended += own
    weights -= weight
  }
  return before
}
