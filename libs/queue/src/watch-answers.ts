import { type IQueueBackend } from 'bullmq';

/**
 * Calls `onAnswer` whenever the backend has answered a worker's request for its next message. This is the one sign that a
 * worker really consumes: `isRunning()` stays true, and no event fires, when its loop hangs (bullmq#4378, langfuse#15509).
 */
export function watchAnswers<Backend extends IQueueBackend>(backend: Backend, onAnswer: () => void): Backend {
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = async (...args: Parameters<Backend['moveToActive']>) => {
    const answer = await moveToActive(...(args as Parameters<typeof moveToActive>));
    onAnswer();
    return answer;
  };
  return backend;
}
