// @ts-nocheck: runs in browsers, whose types this program does not have.

// Line numbers and Tab for the script, and a dry run in place. Without scripts the same forms work.
const script = document.querySelector('textarea[name="jsScript"]');

if (script) {
  const frame = document.createElement('div');
  const numbers = document.createElement('pre');
  frame.className = 'editor';
  numbers.setAttribute('aria-hidden', 'true');
  // A field that is moved loses the focus; the user may have been faster than this script.
  const isFocused = document.activeElement === script;
  script.replaceWith(frame);
  frame.append(numbers, script);
  if (isFocused) script.focus();
  const count = () => {
    const lines = script.value.split('\n').length;
    numbers.textContent = Array.from({ length: lines }, (_, at) => at + 1).join('\n');
  };
  const follow = () => {
    // The numbers stay as high as the field, which users can resize.
    numbers.style.height = `${script.offsetHeight}px`;
    numbers.scrollTop = script.scrollTop;
  };
  script.addEventListener('input', count);
  script.addEventListener('scroll', follow);
  new ResizeObserver(follow).observe(script);
  count();

  // Escape, then Tab, leaves the field: no keyboard trap (WCAG 2.1.2).
  let isLeaving = false;
  script.addEventListener('keydown', (event) => {
    if (event.key === 'Tab' && !event.shiftKey && !isLeaving) {
      event.preventDefault();
      script.setRangeText('  ', script.selectionStart, script.selectionEnd, 'end');
      count();
    }
    isLeaving = event.key === 'Escape';
  });
}

/** Renews the session: writing a script may take longer than that lives, and must not lead to the sign-in page. */
function renew() {
  return fetch(new URL('../', import.meta.url), { redirect: 'manual' }).catch(() => {});
}

let isRenewed = false;
document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event;
  if (isRenewed || form.method !== 'post' || !form.closest('main')) return;
  event.preventDefault();
  await renew();
  if (submitter?.value === 'dry-run') await runInPlace(form, submitter);
  else send(form, submitter);
});

function send(form, submitter) {
  isRenewed = true;
  form.requestSubmit(submitter);
  isRenewed = false;
}

async function runInPlace(form, submitter) {
  submitter.disabled = true;
  const body = new URLSearchParams(new FormData(form));
  body.set(submitter.name, submitter.value);
  try {
    const response = await fetch(location.pathname, { method: 'POST', body });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const part = page.getElementById('dry-run');
    if (!part) throw new Error('Not the page of the webhook.');
    const alert = page.querySelector('[role="alert"]');
    if (alert) part.prepend(alert);
    document.getElementById('dry-run').replaceWith(document.importNode(part, true));
  } catch {
    // As without scripts: the browser shows the response.
    submitter.disabled = false;
    send(form, submitter);
  }
}
