/** Links to the page of an object; shows only its name if objects of the kind have no page. */
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface Props {
  readonly screen: 'messages' | 'accounts' | 'routes'
  readonly id: string
  readonly children?: ReactNode
}

export function ObjectLink({ screen, id, children }: Props) {
  const { history, routesByPath } = useRouter()
  const label = children ?? id
  if (!Object.keys(routesByPath).some((path) => path.startsWith(`/${screen}/$`))) return <span>{label}</span>
  const href = `/${screen}/${encodeURIComponent(id)}`
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.push(href)
      }}
    >
      {label}
    </a>
  )
}
