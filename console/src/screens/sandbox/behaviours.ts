/** Behaviours of a sandbox route and causes of failures, in display order; typed against the admin API. */
import type { Input } from '../../api/call.ts'

type Body = Input<'setSandboxBehaviour'>['body']
export type Behaviour = Body['behaviour']
type Cause = NonNullable<Body['cause']>

export const behaviours: readonly Behaviour[] = [
  'by-number',
  'delivered',
  'slow',
  'failed',
  'refused',
  'no-receipt',
  'throttled',
  'unreachable',
]

export const causes: readonly Cause[] = [
  'no-subscriber',
  'phone-off',
  'unsupported',
  'refused',
  'spam',
  'timeout',
  'failed',
  'bad-number',
  'buffer-full',
  'shadow-area',
  'radio-failure',
  'temporary-failure',
  'attachment',
  'unregistered-sender',
  'duplicate',
  'night-hours',
  'origin-code',
]
