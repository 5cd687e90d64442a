/** Actions on a message. Offers only those that the API allows in the current state. */
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm, type ConfirmProps } from '../../../components/Confirm.tsx'
import { useMay } from '../../../session/session.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { Message } from './stops.ts'
import { messageTexts } from './texts.ts'

type Dialog = Pick<ConfirmProps, 'title' | 'confirmLabel' | 'danger' | 'onConfirm' | 'children'>

export function MessageActions({ message }: { readonly message: Message }) {
  const t = useTexts(messageTexts)
  const mayCancelOne = useMay('messages', 'cancelMessage')
  const mayDecide = useMay('messages', 'releaseHeld')
  const cancel = useChange('cancelMessage')
  const release = useChange('releaseHeld')
  const refuse = useChange('refuseHeld')
  const retry = useChange('retryParked')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { msgKey, mayCancel, awaitsDecision } = message
  const parked = message.events.findLast(({ kind }) => kind === 'parked')
  const parkedId = Number(parked?.details.id)
  return (
    <>
      {mayDecide && awaitsDecision ? (
        <>
          <Button
            label={t.release}
            onClick={() =>
              setDialog({
                title: t.releaseTitle(msgKey),
                confirmLabel: t.release,
                children: t.releaseEffect,
                onConfirm: (reason) => release.mutateAsync({ body: { msgKeys: [msgKey], reason } }),
              })
            }
          />
          <Button
            label={t.refuse}
            onClick={() =>
              setDialog({
                title: t.refuseTitle(msgKey),
                confirmLabel: t.refuse,
                children: t.refuseEffect,
                danger: true,
                onConfirm: (reason) => refuse.mutateAsync({ body: { msgKeys: [msgKey], reason } }),
              })
            }
          />
        </>
      ) : null}
      {mayCancelOne && mayCancel ? (
        <Button
          label={t.cancel}
          onClick={() =>
            setDialog({
              title: t.cancelTitle(msgKey),
              confirmLabel: t.cancel,
              children: t.cancelEffect,
              danger: true,
              onConfirm: (reason) => cancel.mutateAsync({ params: { msgKey }, body: { reason } }),
            })
          }
        />
      ) : null}
      {mayDecide && parked !== undefined && message.state !== 'closed' ? (
        <Button
          label={t.retryParked}
          onClick={() =>
            setDialog({
              title: t.retryTitle(parkedId),
              confirmLabel: t.retryParked,
              children: t.retryEffect,
              onConfirm: (reason) => retry.mutateAsync({ body: { ids: [parkedId], reason } }),
            })
          }
        />
      ) : null}
      {dialog === null ? null : <Confirm {...dialog} onClose={() => setDialog(null)} />}
    </>
  )
}

function Button({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="button" onClick={onClick}>
      {label}
    </button>
  )
}
