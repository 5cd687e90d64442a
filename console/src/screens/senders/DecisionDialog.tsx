/** Approves, rejects or blocks a sender. An approval can add a proof and a last day. */
import { useState } from 'react'
import { useChange, type Item } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { Field } from '../../components/Field.tsx'
import { useTexts } from '../../texts/texts.ts'
import { noProof, ProofFields, toProof } from './ProofFields.tsx'
import type { SenderDecision } from './states.ts'
import { sendersTexts } from './texts.ts'

interface Props {
  readonly decision: SenderDecision
  readonly sender: Pick<Item<'listSenders'>, 'id' | 'account' | 'value' | 'proof' | 'updatedAt'>
  readonly onClose: () => void
}

export function DecisionDialog({ decision, sender, onClose }: Props) {
  const { id, account, value, proof: stored } = sender
  // Version when the dialog opened: the operator has not seen later changes.
  const [updatedAt] = useState(sender.updatedAt)
  const t = useTexts(sendersTexts)
  const approve = useChange('approveSender')
  const reject = useChange('rejectSender')
  const block = useChange('blockSender')
  const [proof, setProof] = useState(noProof)
  const [lastDay, setLastDay] = useState('')
  const params = { clientId: account }
  const submit = (reason: string): Promise<unknown> => {
    if (decision === 'reject') return reject.mutateAsync({ params, body: { id, reason } })
    if (decision === 'block') return block.mutateAsync({ params, body: { id, reason } })
    return approve.mutateAsync({
      params,
      body: {
        id,
        ...toProof(proof),
        ...(lastDay === '' ? {} : { validUntil: lastDay }),
        updatedAt,
        ...(reason === '' ? {} : { reason }),
      },
    })
  }
  return (
    <Confirm
      title={t[`${decision}Title`](value, account)}
      confirmLabel={t[decision]}
      danger={decision === 'block'}
      reason={decision === 'approve' ? 'optional' : 'required'}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className="fields">
        <p>{t[`${decision}Effect`]}</p>
        {decision === 'approve' ? (
          <>
            <ProofFields proof={proof} onProof={setProof} stored={stored} />
            <Field label={t.lastDay} value={lastDay} onValue={setLastDay} type="date" hint={t.lastDayKept} />
          </>
        ) : null}
      </div>
    </Confirm>
  )
}
