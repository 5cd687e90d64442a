/** Creates an account; its password is handed on to be shown once. */
import { useState } from 'react'
import type { Data } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { accountsTexts } from './texts.ts'

interface Props {
  readonly onCreated: (made: Data<'createAccount'>) => void
  readonly onClose: () => void
}

export function CreateAccount({ onCreated, onClose }: Props) {
  const t = useTexts(accountsTexts)
  const create = useChange('createAccount')
  const [name, setName] = useState('')
  const [clientId, setClientId] = useState('')
  return (
    <Confirm
      title={t.createTitle}
      confirmLabel={t.create}
      reason="optional"
      onClose={onClose}
      onConfirm={async (reason) =>
        onCreated(
          await create.mutateAsync({
            body: {
              name: name.trim(),
              ...(clientId === '' ? {} : { clientId }),
              ...(reason === '' ? {} : { reason }),
            },
          }),
        )
      }
    >
      <div className="fields">
        <p>{t.createEffect}</p>
        <Field label={t.name} value={name} onValue={setName} required maxLength={200} pattern=".*\S.*" />
        <Field
          label={t.clientId}
          value={clientId}
          onValue={setClientId}
          maxLength={64}
          pattern="[A-Za-z0-9._\-]{1,64}"
          hint={t.clientIdHint}
        />
      </div>
    </Confirm>
  )
}
