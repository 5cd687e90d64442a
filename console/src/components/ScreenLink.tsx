/** Links to the screen for an admin API path; shows only the text if there is no such screen. */
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** Path of the admin API, such as `/admin/v1/routes/lgu-1`. */
  readonly path: string
  readonly className?: string
  readonly children: ReactNode
  /** Shown if there is no such screen; defaults to the text. */
  readonly otherwise?: ReactNode
}

export function ScreenLink({ path, className, children, otherwise = children }: Props) {
  const { history, routesByPath } = useRouter()
  const place = screenPath(path, Object.keys(routesByPath))
  if (place === null) return <>{otherwise}</>
  return (
    <a
      className={className}
      href={place}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return
        event.preventDefault()
        history.push(place)
      }}
    >
      {children}
    </a>
  )
}

/** Returns the address of a screen: the list if single objects have none, null if there is no screen. */
export function screenPath(path: string, known: readonly string[]): string | null {
  const [place, search] = path.replace(/^\/admin\/v1/, '').split('?', 2)
  const [screen, object] = place!.split('/').filter(Boolean)
  if (screen === undefined || !known.includes(`/${screen}`)) return null
  const single = object !== undefined && known.some((one) => one.startsWith(`/${screen}/$`))
  return `${single ? place! : `/${screen}`}${search === undefined ? '' : `?${search}`}`
}
