/** Creates an account and its first key. */
import { useState } from 'react'
import type { Data } from '../../api/call.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { accountsTexts } from './texts.ts'

export interface FirstCredentials extends Data<'createAccount'> {
  /** The key, or the problem if the account was created without one. */
  readonly key: string | Problem
}

interface Props {
  readonly onCreated: (made: FirstCredentials) => void
  readonly onClose: () => void
}

export function CreateAccount({ onCreated, onClose }: Props) {
  const t = useTexts(accountsTexts)
  const create = useChange('createAccount')
  const add = useChange('addCredential')
  const [name, setName] = useState('')
  const [clientId, setClientId] = useState('')
  const submit = async (reason: string): Promise<void> => {
    const reasonField = reason === '' ? {} : { reason }
    const account = await create.mutateAsync({
      body: { name: name.trim(), ...(clientId === '' ? {} : { clientId }), ...reasonField },
    })
    // The account exists: show its password even if creating the key fails.
    const key = await add
      .mutateAsync({ params: { clientId: account.clientId }, body: { name: t.firstKey, ...reasonField } })
      .then((added) => added.key, toProblem)
    onCreated({ ...account, key })
  }
  return (
    <Confirm
      title={t.createTitle}
      confirmLabel={t.create}
      reason="optional"
      onClose={onClose}
      onConfirm={submit}
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
