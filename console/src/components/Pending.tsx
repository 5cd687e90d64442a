/** Placeholder for a screen that is not available; names the equivalent command. */
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'
import { PageHead } from './PageHead.tsx'

interface Props {
  readonly screen:
    | 'messages'
    | 'routes'
    | 'accounts'
    | 'senders'
    | 'webhooks'
    | 'parked'
    | 'rules'
    | 'audit'
    | 'sandbox'
  readonly command: string
}

export function Pending({ screen, command }: Props) {
  const t = useTexts(shared)
  return (
    <>
      <PageHead title={t[screen]} />
      <div className="card empty">
        <p>{t.pendingTitle(t[screen])}</p>
        <p>{t.pending(command)}</p>
      </div>
    </>
  )
}
