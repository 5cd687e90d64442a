/** Lists routes, most severe status first. */
import '../../components/filters.css'
import './routes.css'
import { getRouteApi, Link } from '@tanstack/react-router'
import { usePages } from '../../api/queries.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { PageHead } from '../../components/PageHead.tsx'
import { useRight } from '../../session/session.ts'
import { useTexts } from '../../texts/texts.ts'
import { useColumns } from './columns.tsx'
import { Filters } from './Filters.tsx'
import { routesTexts } from './texts.ts'

const routeApi = getRouteApi('/routes')

export function RoutesScreen() {
  const t = useTexts(routesTexts)
  const search = routeApi.useSearch()
  const mayChange = useRight('routes')
  const routes = usePages(
    'listRoutes',
    { query: { order: 'trouble', limit: 50, ...search } },
    { everyMs: 5_000 },
  )
  const columns = useColumns()
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return (
    <>
      <PageHead
        title={t.title}
        hint={t.hint}
        actions={
          <>
            <Link to="/explain" className="button">
              {t.explain}
            </Link>
            {mayChange ? (
              <Link to="/new-route" className="button primary">
                {t.newRoute}
              </Link>
            ) : null}
          </>
        }
      />
      <Filters search={search} />
      <div className="routes-table">
        <DataTable
          caption={t.title}
          columns={columns}
          pages={routes}
          rowKey={(row) => row.id}
          empty={isFiltered ? <NoMatch /> : <NoRoute />}
        />
      </div>
    </>
  )
}

function NoMatch() {
  const t = useTexts(routesTexts)
  return (
    <p>
      {t.noMatch} <Link to="/routes">{t.clear}</Link>
    </p>
  )
}

function NoRoute() {
  const t = useTexts(routesTexts)
  return (
    <>
      <p>{t.emptyTitle}</p>
      <p>{t.empty}</p>
    </>
  )
}
