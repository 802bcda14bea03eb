// @ts-nocheck: runs in browsers, whose types this program does not have.

// What buttons do to the element that they control. Without scripts these buttons are hidden, and nothing depends on them.
const acts = {
  show: (input) => {
    input.type = input.type === 'text' ? 'password' : 'text';
    // A secret that is shown must not stay in the browser's history of forms.
    input.form.onsubmit = () => {
      input.type = 'password';
    };
  },
  copy: ({ textContent }) => navigator.clipboard.writeText(textContent),
  save: ({ textContent, dataset }) => {
    const href = URL.createObjectURL(new Blob([textContent], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href, download: dataset.file }).click();
  },
  print: () => window.print(),
  tick: ({ elements }) => {
    for (const each of elements) each.checked = true;
  },
};

for (const button of document.querySelectorAll('button[data-act]')) {
  const { act } = button.dataset;
  // Browsers give the clipboard to secure contexts only.
  button.hidden = act === 'copy' && !navigator.clipboard;
  button.addEventListener('click', async () => {
    const { afterwards } = button.dataset;
    await acts[act](document.getElementById(button.getAttribute('aria-controls')));
    if (act === 'show') button.dataset.afterwards = button.textContent;
    if (afterwards) button.textContent = afterwards;
  });
}

// A second click while the answer is on its way would send the form twice; after two seconds it may be meant.
const sentAt = new WeakMap();
window.addEventListener('submit', (event) => {
  const { target, timeStamp } = event;
  if (timeStamp - sentAt.get(target) < 2_000) event.preventDefault();
  else if (!event.defaultPrevented) sentAt.set(target, timeStamp);
});
