/** The id of a push; that of a report leads to its message. */
import { PlaceLink } from '../../components/PlaceLink.tsx'

/** msgKey and step. */
const reportId = /^(\d{17}[0-9A-Z]{15})-\d+$/

export function EventLink({ eventId }: { readonly eventId: string }) {
  const msgKey = reportId.exec(eventId)?.[1]
  if (msgKey === undefined) return <span className="mono small">{eventId}</span>
  return (
    <PlaceLink path={`/messages/${msgKey}`} className="mono small">
      {eventId}
    </PlaceLink>
  )
}
