/** Lists phones in the order of the API: newest message first. */
import { Link } from '@tanstack/react-router'
import type { Data } from '../../api/call.ts'
import { Badge } from '../../components/Badge.tsx'
import { useTexts } from '../../texts/texts.ts'
import { ChannelIcon } from './ChannelIcon.tsx'
import { Clock } from './Clock.tsx'
import { formatNumber } from './entries.ts'
import { sandboxTexts } from './texts.ts'

type Item = Data<'listSandboxNumbers'>['items'][number]

export function PhoneList({ items }: { readonly items: readonly Item[] }) {
  const t = useTexts(sandboxTexts)
  return (
    <ul className="phones">
      {items.map((item) => (
        <li key={item.to}>
          <Link to="/sandbox" search={{ to: item.to }} className="phone-row">
            <ChannelIcon channel={item.channel} />
            <span className="phone-number number">{formatNumber(item.to)}</span>
            <span className="small muted">
              <Clock at={item.lastAt} />
            </span>
            <span className="phone-preview">
              {t[item.channel]}
              {item.preview === '' ? '' : ` · ${item.preview}`}
            </span>
            {item.state === 'failed' ? (
              <Badge tone="bad">{t.failed}</Badge>
            ) : (
              <span className="small muted number" aria-label={t.messages(item.messages)}>
                {item.messages}
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
