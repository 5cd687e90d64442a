/** Behaviours of a sandbox route in display order; typed against the admin API. */
import type { Input } from '../../api/call.ts'

type Body = Input<'setSandboxBehaviour'>['body']
export type Behaviour = Body['behaviour']
type Cause = NonNullable<Body['cause']>

export const behaviours: readonly Behaviour[] = [
  ...([
    'by-number',
    'delivered',
    'slow',
    'failed',
    'refused',
    'no-receipt',
    'throttled',
    'unreachable',
  ] as const),
]

export const causes: readonly Cause[] = [
  ...([
    'no-subscriber',
    'phone-off',
    'unsupported',
    'refused',
    'spam',
    'timeout',
    'failed',
    'bad-number',
  ] as const),
  ...(['buffer-full', 'shadow-area', 'radio-failure', 'temporary-failure', 'attachment'] as const),
  ...(['unregistered-sender', 'duplicate', 'night-hours', 'origin-code'] as const),
]
