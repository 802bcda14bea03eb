// @ts-nocheck: runs in browsers, whose types this program does not have.

// Copies, saves and prints recovery codes. Without scripts the buttons do not exist, and the list can be printed all the same.
for (const list of document.querySelectorAll('.codes')) {
  const { copy, copied, save, print, file } = list.dataset;
  const text = [...list.querySelectorAll('code')].map((code) => `${code.textContent}\n`).join('');
  const buttons = document.createElement('div');
  buttons.className = 'acts';
  const add = (label, act) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.textContent = label;
    button.addEventListener('click', () => act(button));
    buttons.append(button);
  };
  // Browsers give the clipboard to secure contexts only.
  if (navigator.clipboard) {
    add(copy, async (button) => {
      await navigator.clipboard.writeText(text);
      button.textContent = copied;
    });
  }
  add(save, () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = file;
    link.click();
  });
  add(print, () => window.print());
  list.after(buttons);
}
