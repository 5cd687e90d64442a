/** What the commands of `postern suppression` share. */
import type { Invocation } from '../invocation.ts'
import type { SecretSetting } from '../setting-lists.ts'

export interface SuppressionOptions {
  readonly account?: string
}

export type SuppressionInvocation = Invocation<SecretSetting>
