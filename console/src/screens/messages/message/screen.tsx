import '../messages.css'
import './message.css'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { Badge } from '../../../components/Badge.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { Loading } from '../../../components/Loading.tsx'
import { PageHead } from '../../../components/PageHead.tsx'
import { ProblemNotice } from '../../../components/ProblemNotice.tsx'
import { usePreferences } from '../../../preferences/preferences.ts'
import { useClientAccount } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useCodes } from '../use-codes.ts'
import { MessageActions } from './MessageActions.tsx'
import { Attempts } from './Attempts.tsx'
import { EventList } from './events/EventList.tsx'
import type { Words } from './events/event-words.ts'
import { eventTexts } from './events/texts.ts'
import { TimelineMap } from './events/TimelineMap.tsx'
import { Facts } from './Facts.tsx'
import { MissingMessage } from './missing/MissingMessage.tsx'
import { OwnMissingMessage } from './missing/OwnMissingMessage.tsx'
import { Outcome } from './outcome/Outcome.tsx'
import { Pushes } from './Pushes.tsx'
import type { Message } from './stops.ts'
import { messageTexts } from './texts.ts'
import { hasNoRoute, NoRouteNotice } from './NoRouteNotice.tsx'

const everyMs = 2_000

export function MessageScreen() {
  const { msgKey } = useParams({ from: '/messages/$msgKey' })
  const [open, setOpen] = useState(false)
  const read = useRead('showMessage', { params: { msgKey } }, open ? { everyMs } : {})
  const message = read.data?.msgKey === msgKey ? read.data : undefined
  useEffect(() => setOpen(message?.state === 'open'), [message?.state])
  const { error } = read
  const isClient = useClientAccount() !== null
  if (message !== undefined)
    return (
      <>
        {error === null ? null : <ProblemNotice problem={error} />}
        <Shown key={msgKey} message={message} readAtMs={read.dataUpdatedAt} />
      </>
    )
  const isMissing = error !== null && (error.code === 'not-found' || error.code === 'invalid-request')
  if (isMissing && isClient) return <OwnMissingMessage msgKey={msgKey} onRetry={() => void read.refetch()} />
  if (isMissing) return <MissingMessage msgKey={msgKey} onRetry={() => void read.refetch()} />
  return error === null ? <Loading /> : <ProblemNotice problem={error} onRetry={() => void read.refetch()} />
}

const tones = { open: 'info', closed: 'idle', parked: 'bad' } as const

function Shown({ message, readAtMs }: { readonly message: Message; readonly readAtMs: number }) {
  const m = useTexts(messageTexts)
  const t = useTexts(eventTexts)
  const { language } = usePreferences()
  const words: Words = { t, m, language, codes: useCodes() }
  return (
    <>
      <Link className="back" to="/messages" search={{}}>
        ← {m.back}
      </Link>
      <PageHead title={m.title} actions={<MessageActions message={message} />}>
        <Badge tone={tones[message.state]}>{m[message.state]}</Badge>
      </PageHead>
      <p className="key-line inline">
        <span className="mono wrap">{message.msgKey}</span>
        <CopyButton text={message.msgKey} what={m.key} />
        {message.state === 'open' ? <span className="small muted">{m.readAgain}</span> : null}
      </p>
      <div className="message-halves">
        <Outcome message={message} words={words} nowMs={readAtMs} />
        <Facts message={message} words={words} />
      </div>
      {hasNoRoute(message) ? <NoRouteNotice message={message} /> : null}
      <section className="card" aria-labelledby="timeline-title">
        <h2 id="timeline-title">{m.timeline}</h2>
        <TimelineMap message={message} words={words} />
        <h3 className="events-title">{m.events}</h3>
        <EventList message={message} words={words} />
      </section>
      <Attempts attempts={message.attempts} />
      <Pushes message={message} />
    </>
  )
}
