import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { Field } from '../../../components/Field.tsx'
import type { ShownSecret } from '../../../components/SecretOnce.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { credentialsTexts } from './texts.ts'

const scopes = ['send', 'report', 'replies', 'files', 'webhooks', 'usage'] as const
type Scope = (typeof scopes)[number]

interface Props {
  readonly id: string
  readonly onSecret: (secret: ShownSecret) => void
  readonly onClose: () => void
}

export function AddKey({ id, onSecret, onClose }: Props) {
  const t = useTexts(credentialsTexts)
  const add = useChange('addCredential')
  const [name, setName] = useState('')
  const [days, setDays] = useState('')
  const [networks, setNetworks] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(scopes)
  const submit = async (reason: string): Promise<void> => {
    const networkList = networks.split(/[\s,]+/).filter((network) => network !== '')
    const { key } = await add.mutateAsync({
      params: { clientId: id },
      body: {
        name: name.trim(),
        ...(chosen.length === scopes.length ? {} : { scopes: chosen }),
        ...(days === '' ? {} : { days: Number(days) }),
        ...(networkList.length === 0 ? {} : { networks: networkList }),
        ...(reason === '' ? {} : { reason }),
      },
    })
    onSecret({ title: t.keyOf(name.trim(), id), secret: key })
  }
  return (
    <Confirm
      title={t.addTitle(id)}
      confirmLabel={t.add}
      reason="optional"
      onConfirm={submit}
      onClose={onClose}
    >
      <div className="fields">
        <p>{t.addEffect}</p>
        <Field label={t.name} value={name} onValue={setName} required maxLength={200} pattern=".*\S.*" />
        <fieldset className="plain">
          <legend>{t.scopes}</legend>
          <div className="row-actions">
            {scopes.map((scope) => (
              <label key={scope} className="choice">
                <input
                  type="checkbox"
                  checked={chosen.includes(scope)}
                  // The API requires at least one scope.
                  disabled={chosen.length === 1 && chosen.includes(scope)}
                  onChange={(event) =>
                    setChosen(
                      scopes.filter((one) => (one === scope ? event.target.checked : chosen.includes(one))),
                    )
                  }
                />
                {t[`scope-${scope}`]}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="fields two">
          <Field
            label={t.days}
            value={days}
            onValue={setDays}
            type="number"
            min={1}
            max={3_650}
            hint={t.daysHint}
          />
          <Field
            label={t.networks}
            value={networks}
            onValue={setNetworks}
            maxLength={2_000}
            placeholder="10.1.0.0/16"
            hint={t.networksHint}
          />
        </div>
      </div>
    </Confirm>
  )
}
