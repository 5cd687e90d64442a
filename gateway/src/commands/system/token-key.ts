/** `postern token-key rotate` and `list`. The commands never see a key: every process derives it. */
import { listTokenKeys } from '../../api/tokens/key-queries.ts'
import { rotateTokenKey, withStates } from '../../api/tokens/rotation.ts'
import { clock } from '../../platform/clock.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { keysResult, rotatedResult } from './token-key-view.ts'

export interface RotateTokenKeyOptions {
  readonly leaked?: true
}

export function rotateKey(
  invocation: Invocation,
  { leaked }: { readonly leaked?: boolean },
): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) =>
    rotatedResult(await rotateTokenKey(audit, leaked === true)),
  )
}

export function listRing(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) =>
    keysResult(withStates(await listTokenKeys(database), clock.now())),
  )
}
