/** Account, recipient and times of a message. The recipient is masked until revealed with a reason. */
import { call } from '../../../api/call.ts'
import { MaskedNumber } from '../../../components/MaskedNumber.tsx'
import { ScreenLink } from '../../../components/ScreenLink.tsx'
import { Time } from '../../../components/Time.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { formatGap, nameChannel, type Words } from './events/event-words.ts'
import type { Message } from './stops.ts'
import { messageTexts } from './texts.ts'

export function Facts({ message, words }: { readonly message: Message; readonly words: Words }) {
  const t = useTexts(messageTexts)
  const { msgKey, account, recipient, ref, acceptedAt, channels, events } = message
  const closed = events.find(({ kind }) => kind === 'closed')
  const reveal = async (reason: string): Promise<string> => {
    const revealed = await call('showMessage', { params: { msgKey }, query: { reveal: true, reason } })
    return revealed.recipient ?? t.none
  }
  return (
    <section className="card" aria-label={t.title}>
      <dl className="facts">
        <dt>{t.account}</dt>
        <dd>
          {account === null ? (
            <span className="muted">{t.noAccount}</span>
          ) : (
            <ScreenLink path={`/admin/v1/accounts/${encodeURIComponent(account)}`}>{account}</ScreenLink>
          )}
        </dd>
        <dt>{t.recipient}</dt>
        <dd>
          {recipient === null || recipient === '' ? (
            <span className="muted">{recipient === null ? t.none : t.erased}</span>
          ) : (
            <MaskedNumber masked={recipient} onReveal={reveal} />
          )}
        </dd>
        <dt>{t.ref}</dt>
        <dd className="wrap">{ref ?? <span className="muted">{t.none}</span>}</dd>
        <dt>{t.flow}</dt>
        <dd>
          {channels.length === 0 ? (
            <span className="muted">{t.none}</span>
          ) : (
            channels.map((channel) => nameChannel(words, channel)).join(' → ')
          )}
        </dd>
        <dt>{t.accepted}</dt>
        <dd>{acceptedAt === null ? <span className="muted">{t.none}</span> : <Time at={acceptedAt} />}</dd>
        {closed === undefined || acceptedAt === null ? null : (
          <>
            <dt>{t.duration}</dt>
            <dd className="number">
              {formatGap(Date.parse(closed.at) - Date.parse(acceptedAt), words.language)}
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
