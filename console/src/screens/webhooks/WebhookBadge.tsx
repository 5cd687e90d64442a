/** State of a webhook and since when. */
import type { Item } from '../../api/queries.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { formatDuration } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { webhooksTexts } from './texts.ts'

export type Webhook = Item<'listWebhooks'>

type PushState =
  | 'pushing'
  | 'behind'
  | 'paused'
  | 'failing'
  | 'disabled-owner'
  | 'disabled-failing'
  | 'disabled-gone'
  | 'disabled-unproved'

const tones: Readonly<Record<PushState, Tone>> = {
  pushing: 'ok',
  behind: 'warn',
  paused: 'warn',
  failing: 'bad',
  'disabled-owner': 'idle',
  'disabled-failing': 'bad',
  'disabled-gone': 'bad',
  'disabled-unproved': 'warn',
}

/** A smaller backlog is normal. */
const maxBehind = 1_000

export function getPushState(webhook: Webhook): PushState {
  const { enabled, disabledReason, paused, failingSince, behind } = webhook
  if (!enabled) return `disabled-${disabledReason ?? 'owner'}`
  if (paused) return 'paused'
  if (failingSince !== null) return 'failing'
  return behind > maxBehind ? 'behind' : 'pushing'
}

export function WebhookBadge({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const state = getPushState(webhook)
  const since = state === 'failing' ? webhook.failingSince : webhook.disabledAt
  return (
    <span className="inline">
      <Badge tone={tones[state]}>{t[`state-${state}`]}</Badge>
      {since === null ? null : (
        <span className="small muted" title={since}>
          {t.since(formatDuration((Date.now() - Date.parse(since)) / 1_000, language))}
        </span>
      )}
    </span>
  )
}
