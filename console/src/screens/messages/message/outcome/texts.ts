import { defineTexts } from '../../../../texts/texts.ts'

export const outcomeTexts = defineTexts(
  {
    title: 'What it means',
    whatToDo: 'What to do',
    unknownCode: 'This release does not know the code.',
    unknownCodeDo: 'Ask the carrier of the last attempt what it means.',
    lateDelivery:
      'A late receipt reports that the message was delivered. The report to the client does not change; inform the client on request.',
    deliveredTwice: 'The recipient received this message more than once.',
    fallbackNote: (from: string, code: string) =>
      `${from} ended with ${code}, so the flow continued with the next step.`,

    clientDo:
      'Nothing. The report arrives at the deadline at the latest. For details, contact support with the msgKey.',
    parked: 'Parked',
    parkedCause:
      'A stage could not process the message. It waits until an operator decides. The list below shows the reason.',
    parkedDo: 'Fix the cause, then retry the job.',
    overdue: 'Past its deadline',
    overdueCause: 'The deadline has passed, but the message has not ended.',
    overdueDo: 'Check the logs of the workers; one of them ends such steps every second.',
    scheduled: 'Waits for its scheduled time',
    scheduledCause: (time: string) => `It is sent at ${time}.`,
    scheduledDo: 'Nothing. You can cancel it until then.',
    decision: 'Waits for a decision',
    decisionCause: (rule: string) => `Rule ${rule} holds the message until an operator decides.`,
    decisionDo: 'Release or refuse it. Without a decision it ends at its deadline.',
    held: 'Waiting',
    heldCause: (reason: string) => `Reason: ${reason}.`,
    heldDo: 'Nothing. If it stays, check whether its route accepts messages.',
    waits: 'Waiting for its route',
    waitsCause: 'The message is recorded and on its way to a route.',
    waitsDo:
      'Nothing for a few seconds. If it stays, check whether a route serves its channel and accepts messages.',
    submitted: 'With the carrier',
    submittedCause: 'The message is being submitted, or the carrier has it and the receipt is pending.',
    submittedDo: (due: string) =>
      `Wait for the receipt. Without one the message ends at ${due}; then ask the carrier with the carrier ID.`,
    noAnswer: 'Possibly with the carrier',
    noAnswerCause:
      'The carrier did not respond to the submission. It may have accepted the message, so it is not submitted again immediately.',
  },
  {
    title: '의미와 조치',
    whatToDo: '조치',
    unknownCode: '이 버전에서 알 수 없는 코드입니다.',
    unknownCodeDo: '마지막으로 제출한 통신사에 의미를 문의하세요.',
    lateDelivery:
      '종료된 뒤 전달 성공 결과가 도착했습니다. 고객이 받은 리포트는 바뀌지 않으므로, 문의가 오면 안내하세요.',
    deliveredTwice: '수신자가 이 메시지를 두 번 이상 받았습니다.',
    fallbackNote: (from, code) => `${from} 단계가 먼저 ${code} 코드로 종료되어 다음 단계로 진행했습니다.`,

    clientDo:
      '조치가 필요하지 않습니다. 늦어도 기한에는 리포트가 도착합니다. 더 알고 싶으면 msgKey와 함께 고객 지원에 문의하세요.',
    parked: '격리됨',
    parkedCause: '처리하지 못하여 운영자가 결정할 때까지 대기합니다. 사유는 아래 목록에 있습니다.',
    parkedDo: '원인을 해결한 뒤 작업을 재시도하세요.',
    overdue: '기한 초과',
    overdueCause: '기한이 지났지만 아직 종료되지 않았습니다.',
    overdueDo: '워커 로그를 확인하세요. 워커 하나가 매초 이런 단계를 종료합니다.',
    scheduled: '예약 시각 대기',
    scheduledCause: (time) => `${time}에 발송합니다.`,
    scheduledDo: '조치가 필요하지 않습니다. 그 전까지는 취소할 수 있습니다.',
    decision: '결정 대기',
    decisionCause: (rule) => `${rule} 규칙이 보류했으며, 운영자가 결정할 때까지 발송하지 않습니다.`,
    decisionDo: '발송을 허용하거나 거부하세요. 결정하지 않으면 기한에 종료됩니다.',
    held: '대기 중',
    heldCause: (reason) => `대기 사유: ${reason}.`,
    heldDo: '조치가 필요하지 않습니다. 계속 대기하면 라우트가 메시지를 받고 있는지 확인하세요.',
    waits: '라우트 대기',
    waitsCause: '기록되었으며 라우트로 가는 중입니다.',
    waitsDo:
      '몇 초 안에 진행됩니다. 계속 대기하면 이 채널을 처리하는 라우트가 메시지를 받고 있는지 확인하세요.',
    submitted: '통신사 처리 중',
    submittedCause: '제출하는 중이거나, 통신사가 접수하여 수신 결과를 기다리고 있습니다.',
    submittedDo: (due) =>
      `수신 결과를 기다리세요. 결과가 없으면 ${due}에 종료되며, 그때는 통신사 ID로 문의하세요.`,
    noAnswer: '통신사 접수 여부 불명',
    noAnswerCause: '통신사가 제출에 응답하지 않았습니다. 접수되었을 수 있어 바로 다시 제출하지 않습니다.',
  },
)
