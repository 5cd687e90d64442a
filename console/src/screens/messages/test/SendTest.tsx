/** Sends a test message and opens its page when it is recorded, or after ten seconds. */
import '../../../components/section.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type Input } from '../../../api/call.ts'
import { useChange, useRead } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field, SelectField } from '../../../components/Field.tsx'
import { useRight } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { testTexts } from './texts.ts'

export type TestChannel = Input<'sendTestMessage'>['body']['channel']
export const testChannels = ['sms', 'mms', 'international'] as const satisfies TestChannel[]

interface SendTestProps {
  /** If absent, the operator enters it. */
  readonly account?: string | undefined
  readonly channel?: TestChannel | undefined
  readonly onClose: () => void
}

const recipientPattern = String.raw`\+?[0-9]{8,18}`
const recordedWithinMs = 10_000
const pollEveryMs = 300

function SendTest({ account: given, channel: initialChannel = 'sms', onClose }: SendTestProps) {
  const t = useTexts(testTexts)
  const navigate = useNavigate()
  const send = useChange('sendTestMessage')
  const [account, setAccount] = useState(given ?? '')
  const [channel, setChannel] = useState<TestChannel>(initialChannel)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [text, setText] = useState<string>(t.sample)
  const submit = async (reason: string): Promise<void> => {
    const { msgKey } = await send.mutateAsync({
      params: { clientId: account },
      body: { channel, from, to, text, ...(reason === '' ? {} : { reason }) },
    })
    await waitUntilRecorded(msgKey)
    await navigate({ to: '/messages/$msgKey', params: { msgKey } })
  }
  return (
    <Confirm title={t.title} confirmLabel={t.send} reason="optional" onConfirm={submit} onClose={onClose}>
      <div className="fields">
        <p>{t.effect}</p>
        {given === undefined ? (
          <Field label={t.account} value={account} onValue={setAccount} required maxLength={200} />
        ) : (
          <p>
            {t.account}: <span className="mono">{given}</span>
          </p>
        )}
        <SelectField
          label={t.channel}
          value={channel}
          onValue={setChannel}
          options={testChannels.map((one) => [one, t[one]])}
        />
        <div className="fields two">
          <Field
            label={t.from}
            value={from}
            onValue={setFrom}
            required
            maxLength={20}
            placeholder="15880000"
            hint={t.fromHint}
          />
          <Field
            label={t.to}
            value={to}
            onValue={setTo}
            required
            pattern={recipientPattern}
            inputMode="tel"
            autoComplete="off"
            placeholder={channel === 'international' ? '+819012345678' : '01012345678'}
            hint={<Expected account={account} channel={channel} to={to} />}
          />
        </div>
        <Field label={t.text} value={text} onValue={setText} required maxLength={2_000} />
      </div>
    </Confirm>
  )
}

/** Shows which route the message would take. */
function Expected({
  account,
  channel,
  to,
}: Pick<Input<'explainRoute'>['body'], 'account' | 'channel' | 'to'>) {
  const t = useTexts(testTexts)
  const isComplete = account !== '' && new RegExp(`^${recipientPattern}$`).test(to)
  const { data, error, isPlaceholderData } = useRead(
    'explainRoute',
    { body: { account, channel, to } },
    { enabled: isComplete },
  )
  // Do not show an error while the number or account is being typed.
  if (!isComplete || error !== null || data === undefined || isPlaceholderData) return t.toHint
  return data.route === null ? t.noRoute : t.route(data.route)
}

/** Waits until the message is recorded. Gives up after a while, because its page explains what to check. */
async function waitUntilRecorded(msgKey: string): Promise<void> {
  const endMs = performance.now() + recordedWithinMs
  while (performance.now() < endMs) {
    const isRecorded = await call('showMessage', { params: { msgKey } }).then(
      () => true,
      () => false,
    )
    if (isRecorded) return
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
  }
}

/** Opens the dialog that sends a test message; hidden without the right `messages`. */
export function TestButton(props: Omit<SendTestProps, 'onClose'>) {
  const t = useTexts(testTexts)
  const maySend = useRight('messages')
  const [open, setOpen] = useState(false)
  if (!maySend) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {t.open}
      </button>
      {open ? <SendTest {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
