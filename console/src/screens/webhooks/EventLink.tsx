/** ID of a push; links to the message if it is a report. */
import { ScreenLink } from '../../components/ScreenLink.tsx'

/** The ID of a report is msgKey and step. */
const reportId = /^(\d{17}[0-9A-Z]{15})-\d+$/

export function EventLink({ eventId }: { readonly eventId: string }) {
  const msgKey = reportId.exec(eventId)?.[1]
  if (msgKey === undefined) return <span className="mono small">{eventId}</span>
  return (
    <ScreenLink path={`/messages/${msgKey}`} className="mono small">
      {eventId}
    </ScreenLink>
  )
}
