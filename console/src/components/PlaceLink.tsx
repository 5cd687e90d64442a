/** A link to the screen that shows what a path of the admin API does; only its text, where there is no such screen. */
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  /** Such as `/admin/v1/routes/lgu-1`. */
  readonly path: string
  readonly className?: string
  readonly children: ReactNode
  /** Where there is no such screen; the text, when it is left out. */
  readonly otherwise?: ReactNode
}

export function PlaceLink({ path, className, children, otherwise = children }: Props) {
  const { history, routesByPath } = useRouter()
  const place = placeOf(path, Object.keys(routesByPath))
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

/** The list, while a single object has no screen. Null without a screen. */
export function placeOf(path: string, known: readonly string[]): string | null {
  const [place, search] = path.replace(/^\/admin\/v1/, '').split('?', 2)
  const [screen, object] = place!.split('/').filter(Boolean)
  if (screen === undefined || !known.includes(`/${screen}`)) return null
  const single = object !== undefined && known.some((one) => one.startsWith(`/${screen}/$`))
  return `${single ? place! : `/${screen}`}${search === undefined ? '' : `?${search}`}`
}
