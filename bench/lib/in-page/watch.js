// Runs in a page before the page's own code, and notes what a person in front of it would: when the sign-in was
// painted and when it answered, what kept the page busy, how long a click waited for the next picture.
const notes = { longTasksMs: [], clicksMs: [] };
globalThis.kervanBench = notes;

function noteWhenPainted(name) {
  if (name in notes) return;
  notes[name] = null;
  // The task after the frame's own work.
  requestAnimationFrame(() => setTimeout(() => (notes[name] = performance.now())));
}

new MutationObserver(() => {
  if (document.querySelector('form input')) noteWhenPainted('formMs');
  if (document.querySelector('form [aria-invalid="true"]')) noteWhenPainted('answerMs');
  if (document.querySelector('main h1')) noteWhenPainted('homeMs');
}).observe(document, { subtree: true, childList: true, attributes: true });

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) notes.longTasksMs.push(duration);
}).observe({ type: 'longtask' });

new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) notes.clicksMs.push(duration);
}).observe({ type: 'event', durationThreshold: 16 });
