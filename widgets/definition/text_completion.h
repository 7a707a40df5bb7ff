#pragma once
// The list of completions at the caret: what may stand here, what it takes, and one line on what it does. Steered by
// TextAssist. GUI thread.

#include "engine/definition/completion.h"
#include "widgets/common/candidate_popup.h"

#include <vector>

namespace sbx::ui {

class TextCompletion : public CandidatePopup {
    Q_OBJECT

public:
    TextCompletion(const Theme& theme, QWidget* parent);

    // The first row is current.
    void setCandidates(std::vector<definition::Completion> candidates);
    [[nodiscard]] const std::vector<definition::Completion>& candidates() const { return m_candidates; }
    void popUp(QWidget& anchor, const QRect& line) { CandidatePopup::popUp(anchor, line, false); }

private:
    std::vector<definition::Completion> m_candidates;
};

} // namespace sbx::ui
