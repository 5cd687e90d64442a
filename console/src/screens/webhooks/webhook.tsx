/** Page of a webhook: state, recent responses and failed pushes. */
import '../../components/section.css'
import './webhook.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useRead } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Loading } from '../../components/Loading.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { ProblemNotice } from '../../components/ProblemNotice.tsx'
import { Section } from '../../components/Section.tsx'
import { Stat } from '../../components/Stat.tsx'
import { Time } from '../../components/Time.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useMay } from '../../session/session.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { PushLog } from './PushLog.tsx'
import { FailedPushes } from './FailedPushes.tsx'
import { webhooksTexts } from './texts.ts'
import { useUpTo } from './up-to.ts'
import { WebhookActions } from './WebhookActions.tsx'
import { WebhookBadge, type Webhook } from './WebhookBadge.tsx'

const route = getRouteApi('/webhooks/$id')

export function WebhookScreen() {
  const { id } = route.useParams()
  const t = useTexts(webhooksTexts)
  const read = useRead('showWebhook', { params: { webhookId: id } }, { everyMs: 5_000 })
  const deliveries = useRead(
    'listDeliveries',
    { params: { webhookId: id } },
    { everyMs: 5_000, enabled: read.error === null },
  )
  const { data: webhook } = read
  if (webhook === undefined)
    return (
      <>
        <PageHead title={t.title} />
        {read.error === null ? (
          <Loading />
        ) : (
          <ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
        )}
      </>
    )
  return (
    <>
      <PageHead
        title={webhook.name === '' ? webhook.url : webhook.name}
        actions={<WebhookActions webhook={webhook} />}
        hint={
          <span className="inline">
            <Link to="/webhooks">{t.all}</Link>
            <Link to="/accounts/$id" params={{ id: webhook.account }}>
              {webhook.account}
            </Link>
            {t[`events-${webhook.events}`]}
          </span>
        }
      >
        <WebhookBadge webhook={webhook} />
      </PageHead>
      {read.error === null ? null : (
        <ProblemNotice problem={read.error} onRetry={() => void read.refetch()} />
      )}
      <Figures webhook={webhook} />
      <PushLog deliveries={deliveries} />
      <FailedPushes deliveries={deliveries} />
      <Settings webhook={webhook} />
    </>
  )
}

function Figures({ webhook: { behind, retrying, givenUp } }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const upTo = useUpTo()
  return (
    <dl className="stats">
      <Stat label={t.behind} value={formatCount(behind, language)} hint={t.behindHint} />
      <Stat
        label={t.retrying}
        value={upTo(retrying)}
        tone={retrying > 0 ? 'warn' : undefined}
        hint={t.retryingHint}
      />
      <Stat
        label={t.givenUp}
        value={upTo(givenUp)}
        tone={givenUp > 0 ? 'bad' : undefined}
        hint={t.givenUpHint}
      />
    </dl>
  )
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const mayReveal = useMay('webhooks', 'showWebhook')
  const [confirming, setConfirming] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const { id } = webhook
  return (
    <Section
      title={t.settings}
      actions={
        mayReveal && url === null ? (
          <button type="button" className="button" onClick={() => setConfirming(true)}>
            {t.reveal}
          </button>
        ) : undefined
      }
    >
      <dl className="fact-list">
        <dt>{t.url}</dt>
        <dd className="mono">{url ?? webhook.url}</dd>
        <dt>{t.rate}</dt>
        <dd>{t.rateOf(webhook.perSecond, webhook.concurrency)}</dd>
        <dt>{t.timeout}</dt>
        <dd>{t.seconds(webhook.timeoutSeconds)}</dd>
        <dt>{t.acknowledgement}</dt>
        <dd>{t[`acknowledgement-${webhook.acknowledgement}`]}</dd>
        <dt>{t.created}</dt>
        <dd>
          <Time at={webhook.createdAt} />
        </dd>
      </dl>
      {confirming ? (
        <Confirm
          title={t.revealTitle(id)}
          confirmLabel={t.reveal}
          onClose={() => setConfirming(false)}
          onConfirm={async (reason) =>
            setUrl(
              (await call('showWebhook', { params: { webhookId: id }, query: { reveal: true, reason } })).url,
            )
          }
        >
          {t.revealEffect}
        </Confirm>
      ) : null}
    </Section>
  )
}
