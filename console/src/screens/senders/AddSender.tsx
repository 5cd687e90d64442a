/** Registers a sender, which then waits for approval. Client users request registrations this way. */
import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field, SelectField } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { noProof, ProofFields, toProof } from './ProofFields.tsx'
import { senderKinds, type SenderKind } from './states.ts'
import { sendersTexts } from './texts.ts'

interface Props {
  /** Account of a client user, who can register only for it. */
  readonly own: string | null
  readonly account: string
  readonly onClose: () => void
}

export function AddSender({ own, account: given, onClose }: Props) {
  const t = useTexts(sendersTexts)
  const add = useChange('addSender')
  const [account, setAccount] = useState(given)
  const [kind, setKind] = useState<SenderKind>('number')
  const [value, setValue] = useState('')
  const [proof, setProof] = useState(noProof)
  const [lastDay, setLastDay] = useState('')
  return (
    <Confirm
      title={own === null ? t.addTitle : t.requestTitle}
      confirmLabel={own === null ? t.add : t.request}
      reason="optional"
      onClose={onClose}
      onConfirm={(reason) =>
        add.mutateAsync({
          params: { clientId: account.trim() },
          body: {
            kind,
            value: value.trim(),
            ...toProof(proof),
            ...(lastDay === '' ? {} : { validUntil: lastDay }),
            ...(reason === '' ? {} : { reason }),
          },
        })
      }
    >
      <div className="fields">
        <p>{own === null ? t.addEffect : t.requestEffect}</p>
        {own === null ? (
          <Field
            label={t.account}
            value={account}
            onValue={setAccount}
            required
            maxLength={200}
            pattern=".*\S.*"
          />
        ) : null}
        <div className="fields two">
          <SelectField
            label={t.kind}
            value={kind}
            onValue={setKind}
            options={senderKinds.map((one) => [one, t[`kind-${one}`]] as const)}
          />
          <Field label={t.value} value={value} onValue={setValue} required maxLength={200} pattern=".*\S.*" />
        </div>
        <ProofFields proof={proof} onProof={setProof} stored={null} />
        <Field label={t.lastDay} value={lastDay} onValue={setLastDay} type="date" hint={t.lastDayHint} />
      </div>
    </Confirm>
  )
}
