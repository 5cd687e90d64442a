/** Actions on a webhook: test, replay, rotate the secret, enable and disable. */
import { useState, type ReactNode } from 'react'
import { useChange } from '../../api/queries.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import { SecretOnce, type ShownSecret } from '../../components/SecretOnce.tsx'
import { usePreferences } from '../../preferences/preferences.ts'
import { useMay } from '../../session/session.ts'
import { formatCount } from '../../texts/format.ts'
import { useTexts } from '../../texts/texts.ts'
import { Replay } from './Replay.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { webhooksTexts } from './texts.ts'
import type { Webhook } from './WebhookBadge.tsx'

const actions = ['test', 'replay', 'rotate', 'switch'] as const

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const t = useTexts(webhooksTexts)
  const { language } = usePreferences()
  const mayChange = useMay('webhooks', 'testWebhook')
  const test = useChange('testWebhook')
  const set = useChange('setWebhook')
  const [openDialog, setOpenDialog] = useState<(typeof actions)[number] | null>(null)
  const [done, setDone] = useState<ReactNode>(null)
  const [secret, setSecret] = useState<ShownSecret | null>(null)
  if (!mayChange) return null
  const { id, enabled, behind } = webhook
  const name = webhook.name === '' ? webhook.url : webhook.name
  const close = (): void => setOpenDialog(null)
  const params = { webhookId: id }
  const count = (value: number): string => formatCount(value, language)
  const switched = enabled ? 'disable' : 'enable'
  return (
    <>
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          className={action === 'switch' && !enabled ? 'button primary' : 'button'}
          onClick={() => setOpenDialog(action)}
        >
          {t[action === 'switch' ? switched : action]}
        </button>
      ))}
      <span role="status" className="webhook-done">
        {done}
      </span>
      {openDialog === 'test' ? (
        <Confirm
          title={t.testTitle(name)}
          confirmLabel={t.test}
          reason="optional"
          onClose={close}
          onConfirm={async (reason) => {
            const response = await test.mutateAsync({ params, body: reason === '' ? {} : { reason } })
            setDone(<TestResult {...response} />)
          }}
        >
          {t.testEffect}
        </Confirm>
      ) : null}
      {openDialog === 'replay' ? (
        <Replay
          id={id}
          name={name}
          onClose={close}
          onReplayed={(reports) => setDone(t.replayed(count(reports)))}
        />
      ) : null}
      {openDialog === 'rotate' ? (
        <RotateSecret id={id} name={name} onClose={close} onSecret={setSecret} />
      ) : null}
      {openDialog === 'switch' ? (
        <Confirm
          title={t[`${switched}Title`](name)}
          confirmLabel={t[switched]}
          danger={enabled}
          onClose={close}
          onConfirm={async (reason) => {
            await set.mutateAsync({ params, body: { enabled: !enabled, reason } })
            setDone(null)
          }}
        >
          {enabled ? t.disableEffect : t.enableEffect(count(behind))}
        </Confirm>
      ) : null}
      {secret === null ? null : <SecretOnce {...secret} onClose={() => setSecret(null)} />}
    </>
  )
}

interface TestResponse {
  readonly acknowledged: boolean
  readonly httpStatus: number | null
  readonly ms: number
  readonly error: string
}

function TestResult({ acknowledged, httpStatus, ms, error }: TestResponse) {
  const t = useTexts(webhooksTexts)
  return (
    <>
      <Badge tone={acknowledged ? 'ok' : 'bad'}>{acknowledged ? t.testGood : t.testBad}</Badge>{' '}
      <span className="number">
        {t.answered(httpStatus === null ? t['class-none'] : `HTTP ${httpStatus}`, String(ms))}
      </span>{' '}
      {error === '' ? null : <span lang="en">{error}</span>}
    </>
  )
}
