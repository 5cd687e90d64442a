/** Lists the credentials of an account. Adds keys, and replaces or revokes credentials. */
import { useState } from 'react'
import { useRead } from '../../../api/queries.ts'
import { asPages } from '../../../components/as-pages.ts'
import { Badge } from '../../../components/Badge.tsx'
import { DataTable, type Column } from '../../../components/DataTable.tsx'
import { SecretOnce, type ShownSecret } from '../../../components/SecretOnce.tsx'
import { Section } from '../../../components/Section.tsx'
import { Time } from '../../../components/Time.tsx'
import { useMay } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import { AddKey } from './AddKey.tsx'
import { Replace, type Credential } from './Replace.tsx'
import { Revoke } from './Revoke.tsx'
import { credentialsTexts } from './texts.ts'

interface CredentialAction {
  readonly kind: 'add' | 'replace' | 'revoke'
  /** `null` for `add`. */
  readonly credential: Credential | null
}

export function Credentials({ id }: { readonly id: string }) {
  const t = useTexts(credentialsTexts)
  const mayChange = useMay('credentials', 'addCredential')
  const read = useRead('listCredentials', { params: { clientId: id } })
  const [action, setAction] = useState<CredentialAction | null>(null)
  const [secret, setSecret] = useState<ShownSecret | null>(null)
  const columns = useColumns(mayChange, setAction)
  const close = (): void => setAction(null)
  const credential = action?.credential ?? null
  return (
    <Section
      title={t.title}
      actions={
        mayChange ? (
          <button
            type="button"
            className="button"
            onClick={() => setAction({ kind: 'add', credential: null })}
          >
            {t.add}
          </button>
        ) : undefined
      }
    >
      <DataTable
        caption={t.title}
        columns={columns}
        // Active credentials first, newest first.
        pages={asPages(read, ({ credentials }) =>
          credentials.toReversed().toSorted((left, right) => Number(right.active) - Number(left.active)),
        )}
        rowKey={({ keyId }) => keyId}
        empty={t.none}
      />
      {action?.kind === 'add' ? <AddKey id={id} onSecret={setSecret} onClose={close} /> : null}
      {action?.kind === 'replace' && credential !== null ? (
        <Replace id={id} credential={credential} onSecret={setSecret} onClose={close} />
      ) : null}
      {action?.kind === 'revoke' && credential !== null ? (
        <Revoke id={id} credential={credential} onClose={close} />
      ) : null}
      {secret === null ? null : <SecretOnce {...secret} onClose={() => setSecret(null)} />}
    </Section>
  )
}

function useColumns(
  mayChange: boolean,
  onAction: (action: CredentialAction) => void,
): readonly Column<Credential>[] {
  const t = useTexts(credentialsTexts)
  return [
    {
      id: 'credential',
      head: t.credential,
      isRowHeader: true,
      cell: ({ keyId, kind, name }) => (
        <div className="stack">
          <span>{name === '' ? t[`kind-${kind}`] : name}</span>
          <span className="small muted">
            {name === '' ? '' : `${t[`kind-${kind}`]} · `}
            <span className="mono">{keyId}</span>
          </span>
        </div>
      ),
    },
    { id: 'state', head: t.state, cell: (row) => <CredentialState credential={row} /> },
    {
      id: 'scopes',
      head: t.scopes,
      cell: ({ scopes, networks }) => (
        <div className="stack">
          <span>
            {scopes === null ? t.everything : scopes.map((scope) => t[`scope-${scope}`]).join(', ')}
          </span>
          {networks === null ? null : <span className="small muted mono">{networks.join(', ')}</span>}
        </div>
      ),
    },
    {
      id: 'used',
      head: t.used,
      cell: ({ usedAt, usedFrom }) =>
        usedAt === null ? (
          <span className="muted">{t.never}</span>
        ) : (
          <div className="stack">
            <Time at={usedAt} />
            {usedFrom === null ? null : <span className="small muted mono">{usedFrom}</span>}
          </div>
        ),
    },
    ...(mayChange
      ? [
          {
            id: 'actions',
            head: t.actions,
            cell: (credential: Credential) => {
              const { active, kind, keyId, replacedBy } = credential
              if (!active) return null
              return (
                <div className="row-actions">
                  {kind === 'smpp' || replacedBy !== null ? null : (
                    <button
                      type="button"
                      className="button plain"
                      onClick={() => onAction({ kind: 'replace', credential })}
                    >
                      {t.replace}
                      <span className="hidden-visually"> {keyId}</span>
                    </button>
                  )}
                  <button
                    type="button"
                    className="button plain"
                    onClick={() => onAction({ kind: 'revoke', credential })}
                  >
                    {t.revoke}
                    <span className="hidden-visually"> {keyId}</span>
                  </button>
                </div>
              )
            },
          },
        ]
      : []),
  ]
}

function CredentialState({ credential }: { readonly credential: Credential }) {
  const t = useTexts(credentialsTexts)
  const { active, endsAt, revokedAt, replacedBy } = credential
  if (revokedAt !== null) return <Badge tone="idle">{t.revoked}</Badge>
  if (!active) return <Badge tone="idle">{t.ended}</Badge>
  return (
    <div className="stack">
      <Badge tone={replacedBy === null ? 'ok' : 'warn'}>{replacedBy === null ? t.works : t.replaced}</Badge>
      {endsAt === null ? null : (
        <span className="small muted">
          {t.until} <Time at={endsAt} />
        </span>
      )}
    </div>
  )
}
