#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>
#include "tinyxml2.h"
using namespace tinyxml2;
struct Counter : XMLVisitor {
  std::map<std::string, int> seen;
  bool VisitEnter(const XMLElement &e, const XMLAttribute *) override { seen[e.Name()]++; return true; }
};
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  XMLDocument doc;
  XMLElement *root = doc.NewElement("root");
  doc.InsertEndChild(root);
  for (int i = 0; i < 40 * rounds; i++) {
    XMLElement *e = doc.NewElement(("item" + std::to_string(i % 7)).c_str());
    e->SetAttribute("id", i);
    e->SetAttribute("half", i / 2.0);
    e->SetText(std::string(i % 50, 'x').c_str());
    root->InsertEndChild(e);
  }
  doc.SaveFile("made.xml");
  for (int i = 0; i < rounds; i++) {
    XMLPrinter printer;
    doc.Print(&printer);
    XMLDocument again;
    if (again.Parse(printer.CStr())) return 1;
    Counter counter;
    again.Accept(&counter);
    if (i == 0) for (auto &row : counter.seen) printf("%s %d\n", row.first.c_str(), row.second);
  }
  XMLDocument bad;
  bad.Parse("<a><b></a>");
  printf("%s\n", bad.ErrorStr());
  XMLDocument loaded;
  loaded.LoadFile("made.xml");
  double sum = 0;
  for (auto *e = loaded.RootElement()->FirstChildElement(); e; e = e->NextSiblingElement()) sum += e->DoubleAttribute("half");
  printf("%.1f\n", sum);
  try { std::vector<int> v; v.at(3); } catch (const std::exception &e) { printf("%s\n", e.what()); }
  return 0;
}
