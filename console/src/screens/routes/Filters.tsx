/** What of the list is shown. It lives in the address, so that it can be sent to somebody. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useState } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { channelNames, troubles } from './figures.ts'
import type { RoutesSearch } from './search.ts'
import { oneOf } from './search.ts'
import { routesTexts } from './texts.ts'

/** Typing asks once, not for every letter. */
const typingMs = 250

export function Filters({ search }: { readonly search: RoutesSearch }) {
  const t = useTexts(routesTexts)
  const navigate = useNavigate({ from: '/routes' })
  const ids = { find: useId(), health: useId(), channel: useId() }
  const change = (changed: RoutesSearch): void =>
    void navigate({ to: '/routes', search: (before) => ({ ...before, ...changed }), replace: true })
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <form
      className="filters"
      role="search"
      aria-label={t.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="field">
        <label htmlFor={ids.find}>{t.find}</label>
        <FindInput
          id={ids.find}
          given={search.contains ?? ''}
          onFind={(contains) => change({ contains: contains === '' ? undefined : contains })}
        />
      </div>
      <div className="field">
        <label htmlFor={ids.health}>{t.health}</label>
        <select
          id={ids.health}
          className="select"
          value={search.trouble ?? ''}
          onChange={(event) => change({ trouble: oneOf(troubles, event.target.value) })}
        >
          <option value="">{t.all}</option>
          {troubles.map((trouble) => (
            <option key={trouble} value={trouble}>
              {t[trouble]}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor={ids.channel}>{t.channel}</label>
        <select
          id={ids.channel}
          className="select"
          value={search.channel ?? ''}
          onChange={(event) => change({ channel: oneOf(channelNames, event.target.value) })}
        >
          <option value="">{t.all}</option>
          {channelNames.map((channel) => (
            <option key={channel}>{channel}</option>
          ))}
        </select>
      </div>
      {isFiltered ? (
        <Link to="/routes" className="button">
          {t.clear}
        </Link>
      ) : null}
    </form>
  )
}

interface FindProps {
  readonly id: string
  readonly given: string
  readonly onFind: (text: string) => void
}

function FindInput({ id, given, onFind }: FindProps) {
  const t = useTexts(routesTexts)
  const [text, setText] = useState(given)
  const [seen, setSeen] = useState(given)
  const [sent, setSent] = useState(given)
  if (given !== seen) {
    setSeen(given)
    // The address was changed otherwise, such as by the back button. What is typed meanwhile stays.
    if (given !== sent) {
      setSent(given)
      setText(given)
    }
  }
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === given) return
    const timer = setTimeout(() => {
      setSent(wanted)
      onFind(wanted)
    }, typingMs)
    return () => clearTimeout(timer)
  }, [text, given, onFind])
  return (
    <input
      id={id}
      className="input"
      type="search"
      value={text}
      maxLength={40}
      placeholder={t.findHint}
      onChange={(event) => setText(event.target.value)}
    />
  )
}
