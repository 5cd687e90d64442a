/** `postern trust list`, `enable` and `disable`. */
import { listRules as readAll, readRules, switchRules as setRules } from '../../acts/rules.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { rulesResult, switchedResult } from './rules-view.ts'

export async function listRules(invocation: Invocation): Promise<Result> {
  return rulesResult(await withDatabase(invocation, (database) => readAll(database)))
}

export async function switchRules(
  invocation: Invocation<'originCode'>,
  given: readonly string[],
  enabled: boolean,
): Promise<Result> {
  const rules = readRules(given)
  await withDatabase(invocation, (_database, config, audit) => setRules(audit, config, rules, enabled))
  return switchedResult(rules, enabled)
}
