/** `postern operator key add`, `rotate`, `revoke` and `postern operator recover`. A key is printed once. */
import * as acts from '../../acts/operator-keys.ts'
import type { AddKeyOptions } from '../../acts/operator-keys.ts'
import type { KeyOptions } from '../../acts/operators.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { keyResult } from './view.ts'

export type { AddKeyOptions, KeyOptions }

export function recoverKey(invocation: Invocation, name: string, options: KeyOptions): Promise<Result> {
  return withDatabase(invocation, async (_database, _config, audit) =>
    keyResult(name, await acts.recoverKey(audit, name, options)),
  )
}
