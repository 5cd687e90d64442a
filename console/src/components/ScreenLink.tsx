/** Links to the screen for an admin API path; shows only the children if there is no such screen. */
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** Path of the admin API, such as `/admin/v1/routes/lgu-1`. */
  readonly path: string
  readonly className?: string
  readonly children: ReactNode
  /** Shown if there is no such screen; defaults to the children. */
  readonly otherwise?: ReactNode
}

export function ScreenLink({ path, className, children, otherwise = children }: Props) {
  const { history, routesByPath } = useRouter()
  const href = screenPath(path, Object.keys(routesByPath))
  if (href === null) return <>{otherwise}</>
  return (
    <a
      className={className}
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {children}
    </a>
  )
}

/** Returns the address of a screen: that of the list if objects have no page, or null if there is no screen. */
export function screenPath(path: string, known: readonly string[]): string | null {
  const [pathname, search] = path.replace(/^\/admin\/v1/, '').split('?', 2)
  const [screen, object] = pathname!.split('/').filter(Boolean)
  if (screen === undefined || !known.includes(`/${screen}`)) return null
  const single = object !== undefined && known.some((one) => one.startsWith(`/${screen}/$`))
  return `${single ? pathname! : `/${screen}`}${search === undefined ? '' : `?${search}`}`
}
