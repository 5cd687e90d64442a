/** Filters of the route list, stored in the address so that it can be shared. */
import { Link, useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { useTexts } from '../../texts/texts.ts'
import { channelNames, routeStatuses } from './figures.ts'
import type { RoutesSearch } from './route.ts'
import { SearchBox } from '../../components/SearchBox.tsx'
import { readSearchChoice } from '../../components/search-text.ts'
import { routesTexts } from './texts.ts'

export function Filters({ search }: { readonly search: RoutesSearch }) {
  const t = useTexts(routesTexts)
  const navigate = useNavigate({ from: '/routes' })
  const ids = { find: useId(), health: useId(), channel: useId() }
  const change = (changed: RoutesSearch): void =>
    void navigate({ to: '/routes', search: (before) => ({ ...before, ...changed }), replace: true })
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <form
      className="filters route-filters"
      role="search"
      aria-label={t.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="field">
        <label htmlFor={ids.find}>{t.find}</label>
        <SearchBox
          id={ids.find}
          label={t.find}
          hint={t.findHint}
          maxLength={40}
          value={search.contains ?? ''}
          onSearch={(contains) => change({ contains: contains === '' ? undefined : contains })}
        />
      </div>
      <div className="field">
        <label htmlFor={ids.health}>{t.health}</label>
        <select
          id={ids.health}
          className="select"
          value={search.trouble ?? ''}
          onChange={(event) => change({ trouble: readSearchChoice(event.target.value, routeStatuses) })}
        >
          <option value="">{t.all}</option>
          {routeStatuses.map((trouble) => (
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
          onChange={(event) => change({ channel: readSearchChoice(event.target.value, channelNames) })}
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
