/** Menu entries with icons and their visibility for client users. */
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { shared } from '../texts/shared.ts'
import { useTexts } from '../texts/texts.ts'

type TextKey = keyof (typeof shared)['en']

interface Entry {
  readonly to: NonNullable<LinkProps['to']>
  readonly text: TextKey
  readonly icon: ReactNode
  /** Separated from the entries above. */
  readonly apart?: boolean
  /** Name of the screen for client users; absent if they do not have it. */
  readonly client?: TextKey
  /** Shown only if the installation enables this feature. */
  readonly enabledBy?: 'sandboxPhones'
}

const stroke = (d: string): ReactNode => (
  <path
    d={d}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
  />
)

const entries: readonly Entry[] = [
  { to: '/', text: 'now', client: 'overview', icon: stroke('M2 10h4l2.5-6 3.5 12L14.5 10H18') },
  {
    to: '/messages',
    text: 'messages',
    client: 'messages',
    icon: stroke('M3 4.5h14v9.5H9l-4 3v-3H3zM6.5 8h7M6.5 11h4'),
  },
  { to: '/batches', text: 'batches', icon: stroke('M3 5.5h14M3 10h14M3 14.5h6M13 14.5l1.5 1.5 3-3') },
  {
    to: '/routes',
    text: 'routes',
    icon: stroke('M3 10h5c4 0 3-5 9-5M8 10c4 0 3 5 9 5M15 3l2 2-2 2M15 13l2 2-2 2'),
  },
  { to: '/accounts', text: 'accounts', icon: stroke('M10 3a3 3 0 1 0 .01 0M4 17c0-4 2.5-6 6-6s6 2 6 6') },
  { to: '/senders', text: 'senders', client: 'senders', icon: stroke('M3 3h6l8 8-6 6-8-8zM6.5 6.5h.01') },
  {
    to: '/webhooks',
    text: 'webhooks',
    client: 'webhooks',
    icon: stroke('M8 12l-3 4M8 8a3 3 0 1 1 4 0l3 5M5 16h10M4 16a1 1 0 1 0 .01 0M16 16a1 1 0 1 0 .01 0'),
  },
  { to: '/parked', text: 'parked', icon: stroke('M3 3h14v14H3zM8 14V6h3a2.5 2.5 0 0 1 0 5H8') },
  {
    to: '/rules',
    text: 'rules',
    icon: stroke('M10 2.5 16.5 5v5c0 4-3 6.5-6.5 7.5C6.5 16.5 3.5 14 3.5 10V5zM7.5 10l2 2 3.5-4'),
  },
  { to: '/audit', text: 'audit', icon: stroke('M5 2.5h7l3.5 3.5v11.5H5zM8 9h5M8 12h5M8 15h3') },
  {
    to: '/sandbox',
    text: 'sandbox',
    icon: stroke('M6 2.5h8v15H6zM9 15h2'),
    apart: true,
    enabledBy: 'sandboxPhones',
  },
]

/** Reports whether client users have the screen at an address. Only hides empty screens; the API enforces access. */
export function isForClients(pathname: string): boolean {
  // The account page is not in the menu, but links lead client users to their own account.
  if (/^\/accounts\/[^/]+$/.test(pathname)) return true
  return entries.some(
    ({ to, client }) =>
      client !== undefined && (pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))),
  )
}

interface Props {
  readonly forClient: boolean
  readonly onChoose: () => void
}

export function Navigation({ forClient, onChoose }: Props) {
  const t = useTexts(shared)
  const { operator } = useSession()
  const shown = entries.filter(
    ({ client, enabledBy }) =>
      (!forClient || client !== undefined) && (enabledBy === undefined || operator?.[enabledBy] === true),
  )
  return (
    <nav id="screens" className="nav" aria-label={t.navigation}>
      <ul>
        {shown.map(({ to, text, client, icon, apart }) => (
          <li key={text} className={apart === true ? 'apart' : undefined}>
            <Link to={to} activeOptions={{ exact: to === '/' }} onClick={onChoose}>
              <svg viewBox="0 0 20 20" aria-hidden="true">
                {icon}
              </svg>
              {t[forClient ? client! : text] as string}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
