/** Revokes a credential with its tokens, and optionally disables the webhooks whose URL was set with it. */
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useTexts } from '../../../texts/texts.ts'
import type { Credential } from './Replace.tsx'
import { credentialsTexts } from './texts.ts'

interface Props {
  readonly id: string
  readonly credential: Credential
  readonly onClose: () => void
}

export function Revoke({ id, credential: { keyId, kind, name }, onClose }: Props) {
  const t = useTexts(credentialsTexts)
  const revoke = useChange('revokeCredential')
  const [disableWebhooks, setDisableWebhooks] = useState(false)
  return (
    <Confirm
      title={t.revokeTitle(name === '' ? t[`kind-${kind}`] : name, id)}
      confirmLabel={t.revoke}
      danger
      onClose={onClose}
      onConfirm={(reason) =>
        revoke.mutateAsync({ params: { clientId: id, keyId }, query: { disableWebhooks, reason } })
      }
    >
      <div className="fields">
        <p>{t.revokeEffect}</p>
        <label className="choice">
          <input
            type="checkbox"
            checked={disableWebhooks}
            onChange={(event) => setDisableWebhooks(event.target.checked)}
          />
          {t.disableWebhooks}
        </label>
      </div>
    </Confirm>
  )
}
