/**
 * Sends a reply from a phone. Storing an opt-out or opt-in word requires a reason. Only the gateway knows these words, so the
 * reason is requested after the API demands it.
 */
import { useState, type ReactNode } from 'react'
import type { Data } from '../../api/call.ts'
import type { Problem } from '../../api/problem.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useTexts } from '../../texts/texts.ts'
import type { SandboxMessage, Step } from './entries.ts'
import { sandboxTexts } from './texts.ts'

export interface ReplyTarget {
  readonly message: SandboxMessage
  readonly step: Step
}

export interface SendReply {
  readonly send: (target: ReplyTarget, text: string) => void
  readonly isPending: boolean
  readonly data: Data<'sendSandboxReply'> | undefined
  /** `null` also if only the reason is missing, which the dialog requests. */
  readonly problem: Problem | null
  /** Dialog that requests the reason, if open. */
  readonly dialog: ReactNode
}

export function useSendReply(onSent: () => void = () => undefined): SendReply {
  const t = useTexts(sandboxTexts)
  const reply = useChange('sendSandboxReply')
  const [pending, setPending] = useState<{ readonly target: ReplyTarget; readonly text: string } | null>(null)
  const toInput = ({ message, step }: ReplyTarget, text: string, reason?: string) => ({
    params: { msgKey: message.msgKey },
    body: { text, step: step.step, ...(reason === undefined ? {} : { reason }) },
  })
  const needsReason = reply.error?.code === 'reason-missing'
  return {
    send: (target, text) =>
      reply.mutate(toInput(target, text), {
        onSuccess: onSent,
        onError: ({ code }) => {
          if (code === 'reason-missing') setPending({ target, text })
        },
      }),
    isPending: reply.isPending,
    data: reply.data,
    problem: needsReason ? null : reply.error,
    dialog:
      pending === null ? null : (
        <Confirm
          title={t.choiceTitle(pending.text)}
          confirmLabel={t.send}
          onConfirm={async (reason) => {
            await reply.mutateAsync(toInput(pending.target, pending.text, reason))
            onSent()
          }}
          onClose={() => setPending(null)}
        >
          <p>{t.choiceEffect(pending.target.message.account ?? '')}</p>
        </Confirm>
      ),
  }
}
